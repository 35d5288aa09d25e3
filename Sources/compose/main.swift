print("compose")

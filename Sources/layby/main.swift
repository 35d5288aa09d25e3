print("layby")
